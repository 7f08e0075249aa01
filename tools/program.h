// SPDX-License-Identifier: GPL-3.0-or-later
// What a program defines in place of main(), which is in cpu_guard.c.
#pragma once

int program_main(int argc, char **argv);
