/** The layout of every view, with the modules that nearly every view needs. */

import './kernel.ts';

export { focusHeading, NotLoadedPage, Page } from './page-layout.tsx';
