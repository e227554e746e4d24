/** Path of the API reference page. */

import type { PageRoute } from '../../app/page-route.ts';

export const referenceRoutes: readonly PageRoute[] = [
  { path: '/reference', access: 'public', load: () => import('./reference-page.tsx') },
];
