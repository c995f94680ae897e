import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The only setting under which tests import the source through the package's own doors; `test/doors.test.ts` holds it.
  ssr: { resolve: { conditions: ["entail-source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/fixture/**"],
    execArgv: ["--conditions=entail-source"],
    testTimeout: 30_000,
    // Of two cores the default would leave one idle, and many tests wait for a process of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    typecheck: { enabled: true, include: ["src/**/*.test-d.ts", "test/**/*.test-d.ts"], tsconfig: "tsconfig.json", ignoreSourceErrors: false },
  },
});
