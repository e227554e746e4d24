/** Entry of the documentation's pages, which can be read without it: copies code, and searches. */

import { addCopyButtons } from '../docs/copy-buttons.ts';
import { startSearch } from '../docs/search.ts';

addCopyButtons();
startSearch();
