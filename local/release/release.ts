/** Local CloudFormation and CodeDeploy: deploys changed functions to the running system, with shares of the calls and their own alarms. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Assembly } from '../assembly/resources.ts';
import type { CloudWatch } from '../cloudwatch/cloudwatch.ts';
import { readAliases, readFunctions } from '../lambda/functions.ts';
import type { Lambda } from '../lambda/pool.ts';
import { changedFunctions, changedStacks, withStack } from './changed-stacks.ts';
import { readShifts, type Shift } from './deployment-groups.ts';

/** Milliseconds between two looks at the alarms of a shift. */
const watchedEveryMs = 1_000;

export interface ReleaseDeps {
  readonly lambda: Pick<Lambda, 'update' | 'publish' | 'route'>;
  readonly watch: Pick<CloudWatch, 'deploy' | 'evaluate' | 'alarms'>;
  /** Waits for some milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** End of a release: its stacks are released, or the failed ones are as before. */
export type ReleaseOutcome = 'released' | 'rolled back';

/**
 * Deploys a release, one environment after the other. In each the stack of the line of business `first` is deployed alone, then all others
 * together. A stack that fails goes back to the version before, and those after it are not begun.
 *
 * @throws NotReleasable before anything is changed.
 */
export type DeployRelease = (
  released: Assembly,
  first: string | undefined,
  tell: (line: string) => void,
) => Promise<ReleaseOutcome>;

/** Makes the function that deploys releases to a running system. */
export function createRelease(deployedAtStart: Assembly, deps: ReleaseDeps): DeployRelease {
  const { lambda, watch, wait = sleep } = deps;
  let deployed = deployedAtStart;

  /** Puts a stack's functions and alarms in the place of the deployed ones. Callers by an alias keep their versions. */
  function replace(stack: string, by: Assembly): void {
    const changed = changedFunctions(deployed, by, stack);
    deployed = withStack(deployed, by, stack);
    for (const each of readFunctions(deployed)) if (changed.has(each.arn)) lambda.update(each);
    watch.deploy(deployed);
  }

  async function deployStack(
    stack: string,
    released: Assembly,
    tell: (line: string) => void,
  ): Promise<boolean> {
    const old = deployed;
    const versionsBefore = new Map(readAliases(old).map(({ arn, version }) => [arn, version]));
    replace(stack, released);
    const shifts = new Map(readShifts(deployed).map((each) => [each.aliasArn, each]));
    const functions = new Map(readFunctions(deployed).map((each) => [each.arn, each]));
    const moved: Moved[] = [];
    for (const { arn, functionArn, version } of readAliases(deployed)) {
      const [shift, before, of] = [shifts.get(arn), versionsBefore.get(arn), functions.get(functionArn)];
      if (shift?.stack !== stack || before === undefined || before === version || of === undefined) continue;
      lambda.publish({ ...of, version });
      moved.push({ shift, version, before });
    }
    const rang = await shiftCalls(moved, tell);
    if (rang === undefined) {
      tell(`${stack}: released`);
      return true;
    }
    for (const { shift, before } of moved) lambda.route(shift.aliasArn, [{ version: before, part: 1 }]);
    replace(stack, old);
    tell(`${stack}: rolled back, because ${rang} rings`);
    return false;
  }

  /**
   * Gives new versions their first part of the calls, and all of them when the time is over.
   *
   * @returns the alarm that rang before.
   */
  async function shiftCalls(
    moved: readonly Moved[],
    tell: (line: string) => void,
  ): Promise<string | undefined> {
    for (const { shift, version, before } of moved) {
      const { aliasArn, firstPart, name } = shift;
      lambda.route(aliasArn, [
        { version, part: firstPart },
        { version: before, part: 1 - firstPart },
      ]);
      tell(
        `${shift.stack}: ${name}: version ${version} gets ${100 * firstPart} % of the calls of version ${before}`,
      );
    }
    const alarms = new Set(moved.flatMap(({ shift }) => shift.alarms));
    const longestMs = Math.max(0, ...moved.map(({ shift }) => shift.forMs));
    for (let waitedMs = 0; waitedMs < longestMs; waitedMs += watchedEveryMs) {
      await wait(watchedEveryMs);
      watch.evaluate();
      const rang = watch.alarms().find(({ name, state }) => state === 'ALARM' && alarms.has(name));
      if (rang !== undefined) return rang.name;
    }
    for (const { shift, version } of moved) lambda.route(shift.aliasArn, [{ version, part: 1 }]);
    return undefined;
  }

  return async (released, first, tell) => {
    const changed = changedStacks(deployed, released);
    if (changed.length === 0) tell('Nothing changed.');
    const isFirst = (stack: string) => first !== undefined && stack.endsWith(`-Lob${first}`);
    const environments = new Map(released.resources.map(({ stack, environment }) => [stack, environment]));
    // A Map keeps the order of the environments in the assembly: the sandbox comes first.
    for (const stacks of Map.groupBy(changed, (stack) => environments.get(stack)).values()) {
      for (const group of [stacks.filter(isFirst), stacks.filter((stack) => !isFirst(stack))]) {
        const done = await Promise.all(group.map((stack) => deployStack(stack, released, tell)));
        if (done.includes(false)) return 'rolled back';
      }
    }
    return 'released';
  };
}

interface Moved {
  readonly shift: Shift & { readonly stack: string };
  readonly version: string;
  /** The version that has the calls so far. */
  readonly before: string;
}
