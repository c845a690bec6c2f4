"""The command, as `evenfold` and as `python -m evenfold`."""

import signal


def main() -> None:
    """Run the command."""
    # Ctrl-C while modules are imported ends the process without their traceback. Nothing has been
    # done yet; the command then listens to signals itself.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli.main import main as run

    run()


if __name__ == "__main__":
    main()
