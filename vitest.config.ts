import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'beside',
          include: [
            '{contract,sdk,conformance,simulators,bench,tools,fingerprint}/**/*.test.ts',
            'server/src/**/*.test.ts',
          ],
          // Fast everywhere; this is for a machine that others keep busy.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['server/test/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
