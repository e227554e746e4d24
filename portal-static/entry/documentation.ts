/** Entry of the documentation's pages, which can be read without it: copies code, searches, and makes the live sandbox work. */

import { addCopyButtons } from '../docs/copy-buttons.ts';
import { startSearch } from '../docs/search.ts';
import { startDemonstration } from '../pages/demonstration/start-demonstration.ts';

addCopyButtons();
startSearch();
startDemonstration();
