/* Calls libordo without its headers, as another language does; valid C and C++. */
#ifdef __cplusplus
extern "C"
#endif
    const char *
    ordo_strerror(int code);

int main(void)
{
    return ordo_strerror(0)[0] == '\0';
}
