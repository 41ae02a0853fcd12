/* A simulation for etude: change `simulate`, and what it gives in NAME.toml.
   Build it with: cc -O2 -o NAME NAME.c
   Print nothing but answers to standard output; standard error is free. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t *state) { /* xorshift64*, Vigna 2016 */
    *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1du >> 11) / 9007199254740992.0;
}

/* One sample: rolls of a die until it shows its highest face. */
static int simulate(long sides, uint64_t seed) {
    int rolls = 1;
    while (uniform(&seed) * (double)sides >= 1) rolls++;
    return rolls;
}

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *sides = strstr(line, "\"sides\":"), *seeds = strstr(line, "\"dice\":["), *comma = "";
        if (seeds) {
            printf("{\"id\":%ld,\"rows\":[", atol(strstr(line, "\"id\":") + 5));
            for (char *seed = strtok(seeds + 8, "\","); *seed != ']'; seed = strtok(NULL, "\",")) {
                seed[16] = '\0'; /* 64 bits of its 256 will do */
                int rolls = simulate(atol(sides + 8), strtoull(seed, NULL, 16));
                printf("%s[%d,%s]", comma, rolls, rolls == 1 ? "true" : "false");
                comma = ",";
            }
            puts("]}");
        } else
            puts("{\"hello\":{\"protocol\":1,\"name\":\"NAME\"}}");
        fflush(stdout);
    }
}
