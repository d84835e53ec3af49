// Ends the unit of a design whose coverage is counted, behind "shim.cpp".

// Points of each instance of a module are written by themselves, not added up.
VERILATED_EXPORT void shim_coverage_by_instance(Instance* self) {
    self->context.coveragep()->forcePerInstance(true);
}
