/* A player for etude: change `choose`.
   cc -O2 -o NAME NAME.c
   It speaks the Universal Game Interface; the referee says which moves are legal.
       etude check --player ./NAME */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20], position[1 << 20];
static uint64_t seed, state;

static uint64_t next(void) { /* splitmix64, from the seed of the match alone */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* One of `moves`, in a position such as `position fen 3/3/2f1f2/hhhhhhh/... h 0 moves d4-d5`. */
static char *choose(char **moves, size_t count) { return moves[next() % count]; }

int main(void) {
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        char *moves[1000], *list = strstr(line, "searchmoves"), digits[17] = {0};
        size_t count = 0;
        if (!strcmp(line, "ugi\n")) puts("id name NAME\noption name Seed type string default 0\nugiok");
        if (!strncmp(line, "setoption name Seed value ", 26))
            seed = strtoull(strncpy(digits, line + 26, 16), NULL, 16);
        if (!strncmp(line, "uginewgame", 10)) state = seed;
        if (!strncmp(line, "isready", 7)) puts("readyok");
        if (!strncmp(line, "position", 8)) strcpy(position, line);
        if (!strncmp(line, "go", 2) && list) {
            strtok(list, " \n");
            while (count < 1000 && (moves[count] = strtok(NULL, " \n"))) count++;
            printf("bestmove %s\n", choose(moves, count));
        }
        fflush(stdout);
    }
}
