/* A panic inside a call becomes a status and a message; the program goes on. Linked with a build that has the planted function. */
#include "check.h"

extern int32_t pingala_planted_panic(char *message, size_t message_len);

int main(void)
{
    const uint64_t three = 3, seven = 7;
    uint64_t out = 0;
    CHECK(pingala_planted_panic(WHY) == PINGALA_PANIC);
    CHECK(strcmp(why, "planted") == 0);
    CHECK(pingala_planted_panic(NULL, 0) == PINGALA_PANIC);
    OK(pingala_powmod_limbs(&out, 1, &three, 1, &three, 1, &seven, 1, 0, NULL, WHY));
    CHECK(out == 6);
    return failed;
}
