/* Normals of a torus, and five charged particles a few steps on, with Equiframe from plain C99.
   models/normals-fa-patch, normals-votes, normals-choice, nbody-fa-verlet (.safetensors) are its arguments. */
#include <equiframe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 2000, PARTICLES = 5, STEPS = 4 };

static void check(int status) {
  if (status == EQUIFRAME_OK) return;
  fprintf(stderr, "equiframe: %s\n", equiframe_last_error());
  exit(status);
}

static void torus_normals(const char* patches, const char* votes, const char* choice) {
  static double xyz[3 * POINTS], truth[3 * POINTS];
  static float found[3 * POINTS];
  for (int i = 0; i < POINTS; ++i) { /* evenly over both angles, by the golden ratio */
    const double u = 6.283185307179586 * i / POINTS, v = 3.883222077450933 * i;
    const double n[3] = {cos(u) * cos(v), sin(u) * cos(v), sin(v)}, ring[3] = {cos(u), sin(u), 0};
    for (int c = 0; c < 3; ++c) xyz[3 * i + c] = 2 * ring[c] + (truth[3 * i + c] = n[c]);
  }
  equiframe_normals* networks = NULL;
  check(equiframe_normals_load(patches, votes, choice, &networks));
  check(equiframe_normals_run(networks, POINTS, xyz, found, NULL, NULL));
  equiframe_normals_free(networks);
  double squares = 0;
  for (int i = 0; i < POINTS; ++i) {
    double cosine = 0;
    for (int c = 0; c < 3; ++c) cosine += truth[3 * i + c] * found[3 * i + c];
    squares += pow(57.29577951308232 * acos(fmin(fabs(cosine), 1)), 2); /* either sign is right */
  }
  printf("torus of %d points: %.2f degrees RMS\n", POINTS, sqrt(squares / POINTS));
}

static void particle_steps(const char* path) {
  double next[3 * PARTICLES], state[7 * PARTICLES] = {/* position, velocity, charge */
    0, 0, 0, .3, .1, 0, 1,     2, 0, .5, 0, -.4, .2, -1,     0, 2, 1, -.2, 0, .3, 1,
    -2, -1, 0, .4, .2, 0, -1,  1, -2, -1, 0, .3, .3, 1};
  equiframe_model* model = NULL;
  check(equiframe_model_load(path, &model));
  for (int step = 1; step <= STEPS; ++step) {
    check(equiframe_model_run_f64(model, 1, PARTICLES, state, next));
    for (int i = 0; i < 3 * PARTICLES; ++i) { /* the model tells places: the way is the velocity */
      double* x = &state[i / 3 * 7 + i % 3];
      x[3] = next[i] - x[0];
      x[0] = next[i];
    }
    printf("t = %d: the first particle is at %.4f %.4f %.4f\n", step, next[0], next[1], next[2]);
  }
  equiframe_model_free(model);
}

int main(int argc, char** argv) {
  if (argc != 5) return fprintf(stderr, "usage: %s PATCHES VOTES CHOICE PARTICLES\n", argv[0]), 2;
  torus_normals(argv[1], argv[2], argv[3]);
  particle_steps(argv[4]);
  return 0;
}
