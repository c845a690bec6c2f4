"""What the formats of image data share: boxes, paths of images, copies of images."""
