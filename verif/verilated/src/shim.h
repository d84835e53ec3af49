// Included before every unit of a model: redirects the runtime's printing and fatal errors to the shim.
#pragma once
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
int verilated_shim_printf(const char* format, ...);
#define VL_PRINTF verilated_shim_printf
#define VL_USER_FATAL
