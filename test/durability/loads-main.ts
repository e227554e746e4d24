/** `npm run durability:loads -- --rounds 50 --seed 1`: a load killed at so many points of it. */
import { killProgram } from './kills.ts';
import { loadWork } from './load-kills.ts';

await killProgram(loadWork(), 50);
