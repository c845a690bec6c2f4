"""Tables 4 and 5 of Sechidis et al. 2011 as printed: mean ± std over ten folds, and ranks.

Columns: Hamming loss, subset accuracy, coverage, ranking loss, mean average precision, micro-AUC.
R, L and I are random, labelset and iterative. A cell that could not be read is "?".
"""

from __future__ import annotations

from typing import NamedTuple

METHOD_OF_LETTER = {"R": "random", "L": "labelset", "I": "iterative"}

_TABLE_4 = """\
scene R .0806±.0078 .5938±.0333 .3542±.0406 .0543±.0070 .8695±.0177 .9612±.0064
scene L .0801±.0059 .5959±.0279 .3557±.0421 .0545±.0082 .8696±.0163 .9616±.0055
scene I .0805±.0060 ? .3573±.0454 .0549±.0069 .8699±.0149 .9613±.0058
emotions R .1809±.0193 ? 1.6528±.1424 .1397±.0269 .7568±.0378 .8777±.0197
emotions L .1792±.0170 ? 1.6394±.1221 .1367±.0223 .7603±.0340 .8804±.0193
emotions I .1786±.0175 .3270±.0553 1.6453±.1308 .1380±.0265 .7616±.0409 .8787±.0222
genbase R .0024±.0013 ? .4077±.2308 .0030±.0043 nan .9952±.0075
genbase L .0024±.0012 .9444±.0267 .3995±.1968 .0027±.0038 nan .9957±.0063
genbase I .0024±.0011 .9438±.0232 .3878±.1808 .0025±.0032 nan .9962±.0054
yeast R .1892±.0070 .1746±.0196 6.1383±.1853 .1584±.0108 nan .8533±.0093
yeast L .1884±.0045 ? 6.1236±.1082 .1576±.0063 .5358±.0160 .8543±.0062
yeast I .1887±.0051 .1757±.0185 6.1247±.1219 .1578±.0076 .5429±.0198 .8539±.0071
medical R .0153±.0014 ? 1.5570±.4584 .0224±.0071 nan .9789±.0072
medical L .0151±.0012 .4616±.0351 1.5022±.3972 .0217±.0071 nan .9798±.0062
medical I .0151±.0014 .4557±.0400 1.4497±.3715 .0209±.0069 nan .9803±.0058
bibtex R .0308±.0029 .1015±.0101 44.9221±1.5618 .2130±.0083 nan .7780±.0066
bibtex L .0315±.0021 ? 45.0660±1.0094 .2140±.0066 nan .7682±.0056
bibtex I .0313±.0017 .1029±.0079 44.6686±1.0397 .2181±.0067 .3505±.0100 .7691±.0054
enron R .0475±.0020 ? 12.7126±1.0364 .0820±.0084 nan .9138±.0068
enron L .0474±.0021 ? 12.6388±.8306 .0810±.0070 nan .9148±.0074
enron I .0474±.0018 .1213±.0197 12.4571±.6189 .0797±.0062 nan .9165±.0055
corel5k R .0094±.0001 .0032±.0023 217.6020±5.5919 .2717±.0084 nan .7821±.0061
corel5k L ? ? ? .2708±.0086 nan .7827±.0060
corel5k I .0094±.0001 .0026±.0022 217.4484±4.0884 .2701±.0058 nan .7834±.0044
"""
_TABLE_5 = """\
scene R .0807±.0073 .5899±.0329 .3943±.0498 .0624±.0085 .8246±.0242 .9423±.0082
scene L .0802±.0051 .5918±.0237 .3884±.0358 .0613±.0070 .8137±.0218 .9427±.0062
scene I .0808±.0061 .5898±.0267 .3891±.0534 .0612±.0082 .8191±.0232 .9423±.0083
emotions R .1803±.0196 .3264±.0575 1.6522±.1311 .1400±.0255 .7240±.0500 .8583±.0225
emotions L ? ? ? .1365±.0221 .7230±.0371 .8603±.0202
emotions I .1782±.0171 .3278±.0553 1.6457±.1261 .1382±.0237 .7405±.0432 .8596±.0221
genbase R .0024±.0013 .9444±.0295 .4743±.2597 .0043±.0049 nan .9907±.0083
genbase L .0025±.0012 .9432±.0270 .4651±.2040 .0041±.0041 nan .9913±.0064
genbase I .0024±.0012 .9438±.0238 .4879±.1925 .0045±.0037 nan .9898±.0063
yeast R .1888±.0071 .1756±.0183 6.0975±.1887 .1580±.0109 nan .8339±.0095
yeast L .1883±.0045 .1793±.0143 6.0852±.1050 .1570±.0062 .4830±.0134 .8346±.0058
yeast I .1883±.0052 .1791±.0198 6.0895±.1109 .1575±.0069 .5670±.0254 .8344±.0059
medical R .0154±.0014 .4497±.0402 2.2879±.5601 .0337±.0075 nan .9610±.0100
medical L ? .4612±.0359 ? .0319±.0069 nan .9631±.0073
medical I .0152±.0013 .4532±.0398 2.1774±.2709 .0320±.0052 nan .9629±.0052
"""
# Published average ranks of the std of random, labelset and iterative, for each column. In Table 4
# the second group and all sets include ImageCLEF2010, which is not at hand.
RANKS_4 = {
    "≤ 0.1": [
        (2.9, 1.2, 1.9),
        (3, 1.4, 1.6),
        (2.6, 1.6, 1.8),
        (2.7, 1.9, 1.4),
        (2.5, 1.5, 2),
        (2.8, 1.4, 1.8),
    ],
    "≥ 0.39": [(2.4, 2.4, 1.3), (2.3, 2, 1.8), (3, 1.8, 1.3), (2.8, 2, 1.3), None, (2.8, 2.3, 1)],
    "all": [
        (2.7, 1.7, 1.6),
        (2.7, 1.7, 1.7),
        (2.8, 1.7, 1.6),
        (2.7, 1.9, 1.3),
        (2.5, 1.5, 2),
        (2.8, 1.8, 1.4),
    ],
}
RANKS_5 = {
    "all": [
        (3, 1.1, 1.9),
        (2.8, 1.2, 2),
        (2.8, 1.4, 1.8),
        (3, 1.4, 1.6),
        (3, 1, 2),
        (2.8, 1.4, 1.8),
    ],
}


class PublishedScore(NamedTuple):
    """A mean and a std over folds as text; NaN is "nan", what could not be read is "?"."""

    mean: str
    std: str

    @property
    def is_undefined(self) -> bool:
        """Whether the paper has NaN."""
        return self.mean == "nan"


# By data set and method, one score for each column.
PublishedScores = dict[tuple[str, str], list[PublishedScore]]


def parse(table: str) -> PublishedScores:
    """Return the scores of a table."""
    scores = {}
    for line in table.splitlines():
        name, letter, *cells = line.split()
        scores[name, METHOD_OF_LETTER[letter]] = [
            PublishedScore(mean, std or mean)
            for mean, _, std in (cell.partition("±") for cell in cells)
        ]
    return scores


TABLE_4, TABLE_5 = parse(_TABLE_4), parse(_TABLE_5)
