/** Paths of the portal's pages, and whether a file, the application or a function answers each. */

import { portalApplicationPaths } from './application-paths.ts';
import { documentationPages } from './documentation-pages.ts';
import { findADoctorPath, framePath } from './find-a-doctor.ts';
import { referencePaths } from './reference-pages.ts';
import { statusFeedPath, statusFramePath, statusPath } from './status.ts';

/** Paths that the function `portal-directory` answers: pages in a frame of the site, and the feed of incidents. */
export const functionPages = [findADoctorPath, statusPath, statusFeedPath] as const;
/** Paths of the frames, which are files of the site and no pages by themselves. */
export const framePaths: readonly string[] = [framePath, statusFramePath];

/**
 * The paths of the portal's pages. `prerendered` are whole HTML files of their own, read without any script; `application` paths
 * (and all below them) are views of the one application page. Anything else is not found.
 */
export const portalPages = {
  /** The file of `/` is `index.html`, of `/terms` is `terms/index.html`, of `/docs/errors` is `docs/errors/index.html`. */
  prerendered: [
    '/',
    '/docs',
    ...documentationPages.map((name) => `/docs/${name}`),
    ...referencePaths,
    '/terms',
    '/privacy',
    '/accessibility',
    framePath,
    statusFramePath,
  ],
  application: portalApplicationPaths,
  /** The file behind every `application` path. */
  applicationFile: '/app.html',
  notFoundFile: '/404.html',
  /** The path of the same pages for browsers that may be signed in (`cookies.ts`): `/signed-in/docs/index.html`. */
  signedInFolder: '/signed-in',
} as const;
