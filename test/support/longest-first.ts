import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestTests } from './longest-tests.ts';

/**
 * Orders the files of `npm run test:long`: the longest first, and journeys alternating with other files. A journey mostly waits while a
 * page or a broken store call computes, so side by side they use the whole machine.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order: readonly string[] = longestTests;
    const place = ({ moduleId }: TestSpecification) => {
      const at = order.indexOf(basename(moduleId).split('.')[0] ?? '');
      return at === -1 ? order.length : at;
    };
    const sorted = (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
    const { waiting = [], computing = [] } = Object.groupBy(sorted, ({ project }) =>
      project.name === 'long journeys' ? 'waiting' : 'computing',
    );
    const longer = Math.max(waiting.length, computing.length);
    return Array.from({ length: longer }, (_, at) => [waiting[at], computing[at]])
      .flat()
      .filter((file) => file !== undefined);
  }
}
