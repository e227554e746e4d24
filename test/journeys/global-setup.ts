import type { TestProject } from 'vitest/node';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `system.json` of the one system all journeys run against. */
    readonly systemFile: string;
  }
}

/** One system for all journeys: each registers clients of its own, so that none is in another's way. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: RunningSystem = await startRunningSystem();
  project.provide('systemFile', `${running.stateDirectory}/system.json`);
  return () => running.stop();
}
