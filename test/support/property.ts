import * as fastCheck from 'fast-check';

/**
 * fast-check with a fixed seed: each run has the same cases, so that a commit is judged by its own changes and a failure can be repeated.
 * `PROPERTY_SEED=<integer>` selects other cases, `PROPERTY_SEED=any` others in each run.
 */
const { PROPERTY_SEED = '20261122' } = process.env;
if (PROPERTY_SEED !== 'any') {
  const seed = Number(PROPERTY_SEED);
  if (!Number.isInteger(seed)) throw new Error('PROPERTY_SEED is an integer, or any');
  fastCheck.configureGlobal({ seed });
}

export * from 'fast-check';
export default fastCheck;
