/** `npm run durability:jobs -- --rounds 100 --seed 1`: kills a bulk match and an export at this number of random points. */
import { jobWork } from './job-kills.ts';
import { killProgram } from './kills.ts';

await killProgram(jobWork(), 100);
