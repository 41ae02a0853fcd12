/* A player for etude: change `choose`. Build it with: cc -O2 -o NAME NAME.c
   It speaks the Universal Game Interface; the referee says which moves are legal.
       etude check --player ./NAME */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20], position[1 << 20];
static uint64_t seed, state;

static uint64_t next(void) { /* xorshift64*, from the seed of the match alone */
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return state * 0x2545f4914f6cdd1du >> 32;
}

/* One of `moves`, in a position such as `position fen 3/3/2f1f2/hhhhhhh/... h 0 moves d4-d5`. */
static char *choose(char **moves, size_t count) { return moves[next() % count]; }

int main(void) {
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        char *moves[1000], *list = strstr(line, "searchmoves"), digits[17] = {0};
        size_t count = 0;
        if (!strcmp(line, "ugi\n")) puts("id name NAME\noption name Seed type string default 0\nugiok");
        if (!strncmp(line, "setoption name Seed value ", 26))
            seed = 1 | strtoull(memcpy(digits, line + 26, 16), NULL, 16);
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
