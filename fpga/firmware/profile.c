#include "profile.h"

void profile_start(void) {}
void profile_stop(void) {}
void profile_print(void) {}
