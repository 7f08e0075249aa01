// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/space.h"
#include "base/hash.h"

#include "base/bytes.h"

#include <math.h>

// Whole numbers up to here are exact as doubles, and so are their differences.
static const double WHOLE_LIMIT = 2147483647;

static bool is_whole(double value) {
    return value == floor(value) && fabs(value) <= WHOLE_LIMIT;
}

static Status check_gene(const EvolveSpace *space, const EvolveParameter *parameter) {
    unsigned bits = parameter->bits;
    if (parameter->low == parameter->high) {
        if (bits != 0)
            return error_set(ERR_ARG, "%s is fixed, so its gene must have 0 bits, not %u",
                             parameter->name, bits);
        return OK;
    }
    if (bits == 0 || bits > EVOLVE_GENE_BITS_MAX)
        return error_set(ERR_ARG, "the gene of %s must have 1 to %d bits, not %u", parameter->name,
                         EVOLVE_GENE_BITS_MAX, bits);
    double most = (double)((1u << bits) - 1);
    if (space->is_integer && parameter->high - parameter->low > most)
        return error_set(ERR_ARG, "%u bits are too few for %s, which goes from %g to %g", bits,
                         parameter->name, parameter->low, parameter->high);
    return OK;
}

static Status check_parameter(const EvolveSpace *space, const EvolveParameter *parameter) {
    if (!isfinite(parameter->low) || !isfinite(parameter->high) || parameter->low > parameter->high)
        return error_set(ERR_ARG, "%s: no box from %g to %g", parameter->name, parameter->low,
                         parameter->high);
    if (space->is_integer && (!is_whole(parameter->low) || !is_whole(parameter->high)))
        return error_set(ERR_ARG, "%s: the bounds %g and %g must be whole numbers of 32 bits",
                         parameter->name, parameter->low, parameter->high);
    return space->coding == EVOLVE_REAL ? OK : check_gene(space, parameter);
}

Status space_check(const EvolveSpace *space) {
    if (space->count == 0 || space->count > EVOLVE_PARAMETERS_MAX)
        return error_set(ERR_ARG, "there must be 1 to %d parameters, not %zu",
                         EVOLVE_PARAMETERS_MAX, space->count);
    size_t bits = 0, free_parameters = 0;
    for (size_t i = 0; i < space->count; i++) {
        const EvolveParameter *parameter = &space->parameters[i];
        TRY(check_parameter(space, parameter));
        bits += space->coding == EVOLVE_REAL ? 0 : parameter->bits;
        free_parameters += parameter->low < parameter->high;
    }
    if (free_parameters == 0)
        return error_set(ERR_ARG, "every parameter is fixed: there is nothing to evolve");
    if (bits > EVOLVE_ORGANISM_BITS_MAX)
        return error_set(ERR_ARG, "an organism may have %d bits, not %zu", EVOLVE_ORGANISM_BITS_MAX,
                         bits);
    return OK;
}

double space_nearest(const EvolveSpace *space, size_t index, double value) {
    const EvolveParameter *parameter = &space->parameters[index];
    // Written so that a value that is no number becomes the low bound.
    if (!(value > parameter->low))
        return parameter->low;
    if (value >= parameter->high)
        return parameter->high;
    return space->is_integer ? floor(value + 0.5) : value;
}

void space_randomize(const EvolveSpace *space, Rng *rng, double *parameters) {
    for (size_t i = 0; i < space->count; i++) {
        double low = space->parameters[i].low, size = space->parameters[i].high - low;
        if (size == 0)
            parameters[i] = low;
        else if (space->is_integer && size < UINT32_MAX)
            parameters[i] = low + rng_below(rng, (uint32_t)size + 1);
        else
            parameters[i] = space_nearest(space, i, low + size * rng_real(rng));
    }
}

uint64_t space_fingerprint(const EvolveSpace *space) {
    CLEANUP(str_free) Str text = {0};
    bytes_add_u64(&text, space->count);
    bytes_add_u8(&text, (uint8_t)space->coding);
    bytes_add_u8(&text, space->is_integer);
    for (size_t i = 0; i < space->count; i++) {
        bytes_add_double(&text, space->parameters[i].low);
        bytes_add_double(&text, space->parameters[i].high);
        bytes_add_u32(&text, space->coding == EVOLVE_REAL ? 0 : space->parameters[i].bits);
    }
    uint64_t hash = hash_bytes(HASH_START, text.text, text.length);
    return hash;
}
