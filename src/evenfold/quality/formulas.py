"""How the measures are computed, in TeX. `reference` says what the symbols are."""

from __future__ import annotations

ED = r"\frac{1}{k} \sum_j \left| n_j - n r_j \right|"
LD = r"""\frac{1}{q} \sum_i \frac{1}{k} \sum_j
\left| \frac{m_{ij}}{n_j - m_{ij}} - \frac{m_i}{n - m_i} \right|"""
RLD = r"\frac{1}{q} \sum_i \frac{1}{k} \sum_j \left| \frac{m_{ij} / n_j}{m_i / n} - 1 \right|"
DCP = r"\frac{1}{q} \sum_i \max_j \left( \frac{m_{ij}}{m_i} - r_j \right)"
FZ = r"\left| \left\{ j : m_{ij} = 0 \text{ for some } i \right\} \right|"
FLZ = r"\left| \left\{ (i, j) : m_{ij} = 0 \right\} \right|"
KL = r"""\frac{1}{k} \sum_j \sum_i p_{ij} \ln \frac{p_{ij}}{p_i}, \quad
p_{ij} = \frac{m_{ij}}{\sum_l m_{lj}}, \quad p_i = \frac{m_i}{\sum_l m_l}"""
RESIDUAL = r"""\max_j \sqrt{\sum_i
\left( \frac{m_{ij}}{m_i} - \frac{1}{q} \sum_l \frac{m_{lj}}{m_l} \right)^2}"""
SHARE_DIFFERENCE = r"""\frac{1}{q} \sum_i \frac{1}{k} \sum_j
\left| \frac{m_{ij}}{n_j} - \frac{m_i}{n} \right|"""
EXCESS = r"\frac{\mathrm{rLD}}{\text{its bound}} - 1"
