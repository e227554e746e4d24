import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for real time to pass, the longest first: what is begun last of these is what all others wait for at the end. */
const longest: readonly string[] = [
  'portal-people.test.ts',
  'conformance-oidc.test.ts',
  'credential-rotation.test.ts',
  'portal-four-eyes.test.ts',
];

/** Begins with the files that take longest, also where no run before has told which those are. The others follow by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(basename(moduleId));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
