/** `npm run durability:loads -- --rounds 50 --seed 1`: kills a load at this number of random points. */
import { killProgram } from './kills.ts';
import { loadWork } from './load-kills.ts';

await killProgram(loadWork(), 50);
