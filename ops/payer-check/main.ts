/** Entry of `payer-check.mjs`, the self-test of Payer Access that the portal publishes. */

import { payerCheckProgram } from './payer-check.ts';

process.exitCode = await payerCheckProgram(process.argv.slice(2), { out: console.log, err: console.error });
