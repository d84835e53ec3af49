"""Prints the folder of the FuseSoC generator."""

from . import cores

print(cores())
