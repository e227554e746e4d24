/** `npm run durability:jobs -- --rounds 100 --seed 1`: a bulk match and an export killed at so many points of them. */
import { jobWork } from './job-kills.ts';
import { killProgram } from './kills.ts';

await killProgram(jobWork(), 100);
