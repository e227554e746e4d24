/** Entry of the home page, which can be read without it: makes the live sandbox work. */

import { startDemonstration } from '../pages/demonstration/start-demonstration.ts';

startDemonstration();
