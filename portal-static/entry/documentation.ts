/** Entry of the documentation's pages, which can be read without it: unfolds what an address leads to, copies code, searches, and makes the live sandbox work. */

import { addCopyButtons } from '../docs/copy-buttons.ts';
import { unfoldTarget } from '../docs/folded-parts.ts';
import { startSearch } from '../docs/search.ts';
import { startDemonstration } from '../pages/demonstration/start-demonstration.ts';

unfoldTarget();
addCopyButtons();
startSearch();
startDemonstration();
