import * as fastCheck from 'fast-check';

/**
 * fast-check, with the same cases in each run: a commit is judged by what it changed, and a failure comes again by itself.
 * `PROPERTY_SEED=<integer>` draws others, `PROPERTY_SEED=any` others each time.
 */
const { PROPERTY_SEED = '20261122' } = process.env;
if (PROPERTY_SEED !== 'any') {
  const seed = Number(PROPERTY_SEED);
  if (!Number.isInteger(seed)) throw new Error('PROPERTY_SEED is an integer, or any');
  fastCheck.configureGlobal({ seed });
}

export * from 'fast-check';
export default fastCheck;
