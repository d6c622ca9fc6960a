/* wheel_command.c - only in the wheel's command.  Foundation refers to a function of glibc 2.35, and the wheel's tag promises 2.34:
 * the older version of the function, which differs in setting errno, takes its place. */
float older_hypotf(float x, float y);
__asm__(".symver older_hypotf, hypotf@GLIBC_2.2.5");

float hypotf(float x, float y)
{
    return older_hypotf(x, y);
}
