#pragma once

#include <span>

namespace coppice {

/// Elementary functions made of IEEE additions, multiplications and divisions only, so that every platform
/// gives the same bits. The C library's own differ in the last place between processors (glibc picks FMA
/// variants at run time), which would make generated data and random numbers depend on the machine. Accurate
/// to about one unit in the last place over the ranges used here.
double portable_log(double x);
double portable_exp(double x);
/// Replaces numbers by their exponentials: the same numbers, many at a time.
void portable_exps(std::span<double> values);
double portable_sin(double x);
double portable_pow(double base, double exponent);

/// The quantile function of the standard normal distribution (Wichura 1988, algorithm AS 241, PPND16).
double normal_quantile(double probability);

}  // namespace coppice
