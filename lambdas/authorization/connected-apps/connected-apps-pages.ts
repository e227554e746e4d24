/** Table of the connected-apps pages, which the function `connected-apps` serves. */

import { createPages } from '../authorize/page-routes.ts';
import {
  type ConnectedAppsServices,
  showConnectedApps,
  submitConnectedApps,
} from './connected-apps-endpoint.ts';

export const handleConnectedAppsPage = createPages<ConnectedAppsServices>([
  { method: 'GET', path: 'connected-apps', handle: showConnectedApps },
  { method: 'POST', path: 'connected-apps', handle: submitConnectedApps },
]);
