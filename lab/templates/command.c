/* A simulation for etude: change `simulate`, and what it gives in NAME.toml.
   cc -O2 -o NAME NAME.c
   Print nothing but answers to standard output; standard error is free. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

static double uniform(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* One sample: rolls of a die until it shows its highest face. */
static int simulate(long sides, uint64_t seed) {
    int rolls = 1;
    while (uniform(&seed) * (double)sides >= 1) rolls++;
    return rolls;
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":"), *sides = strstr(line, "\"sides\":");
        char *seed = strstr(line, "\"dice\":[\""), digits[17] = {0};
        if (!id || !sides || !seed) {
            puts("{\"hello\":{\"protocol\":1,\"name\":\"NAME\",\"metrics\":[\"rolls\",\"first\"]}}");
        } else {
            printf("{\"id\":%ld,\"rows\":[", atol(id + 5));
            for (seed += 9; *seed != ']' && seed[-1] == '"'; seed += seed[65] == ',' ? 67 : 65) {
                int rolls = simulate(atol(sides + 8), strtoull(memcpy(digits, seed, 16), NULL, 16));
                printf("[%d,%s]%s", rolls, rolls == 1 ? "true" : "false", seed[65] == ',' ? "," : "");
            }
            puts("]}");
        }
        fflush(stdout);
    }
}
