/** CloudFront Functions of the portal: they map page paths to files, and add a header with the viewer's address. */

import { Function as EdgeFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { signedInMarker } from '../../lambdas/portal/catalog/cookies.ts';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';

/** Header with the viewer's address as CloudFront sees it, for the API's web ACL. CloudFront overwrites any value that the viewer sends. */
export const viewerAddressHeader = 'x-viewer-address';

/** Page paths and files, in the form of `lambdas/portal/catalog/pages.ts`. */
type Pages = Readonly<
  Record<'prerendered' | 'application', readonly string[]> &
    Record<'applicationFile' | 'notFoundFile' | 'signedInFolder', string>
>;

/**
 * Code of the CloudFront Function for pages. At the request it finds the file of the page; a browser with the signed-in cookie gets the
 * rendition for signed-in users, which has a path of its own, so that the cache keeps both apart. At the response it sets the status 404 of
 * the not-found page. CloudFront's custom error pages are not used, because they apply to a whole distribution and would replace the API's
 * problems too.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
export function pageRouting(pages: Pages = portalPages): string {
  const folders = [...new Set(pages.prerendered.map(folderOf))];
  const names = Object.fromEntries(
    folders.map((folder) => [
      folder,
      pages.prerendered
        .filter((page) => folderOf(page) === folder)
        .map((page) => page.slice(folder.length + 1)),
    ]),
  );
  return `
const names = ${JSON.stringify(names)};
const application = ${JSON.stringify(pages.application)};

function isPrerendered(uri) {
  const end = uri.lastIndexOf('/');
  const below = names[uri.slice(0, end)];
  return below !== undefined && below.includes(uri.slice(end + 1));
}

function fileOf(uri) {
  if (isPrerendered(uri)) return uri === '/' ? '/index.html' : uri + '/index.html';
  if (application.some((page) => uri === page || uri.startsWith(page + '/'))) return '${pages.applicationFile}';
  return /\\.[^/]*$/.test(uri) ? uri : '${pages.notFoundFile}';
}

function isOfFrame(file) {
  return file === '${pages.notFoundFile}' || isPrerendered(file.replace(/\\/?index\\.html$/, '') || '/');
}

function isNotFound(uri) {
  return [uri, uri.replace('${pages.signedInFolder}', '')].some((each) => fileOf(each) === '${pages.notFoundFile}');
}

function isPage(uri) {
  return isPrerendered(uri) || fileOf(uri) === '${pages.applicationFile}';
}

function queryOf(querystring) {
  const pairs = [];
  Object.keys(querystring).forEach((name) => {
    const one = querystring[name];
    (one.multiValue || [one]).forEach((each) => pairs.push(each.value === '' ? name : name + '=' + each.value));
  });
  return pairs.length === 0 ? '' : '?' + pairs.join('&');
}

function handler(event) {
  const request = event.request;
  if (event.context.eventType === 'viewer-response') {
    const response = event.response;
    if (isNotFound(request.uri) && response.statusCode === 200) response.statusCode = 404;
    return response;
  }
  const page = request.uri.replace(/\\/+$/, '');
  if (page !== request.uri && page !== '' && isPage(page)) {
    const location = page + queryOf(request.querystring);
    return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: { value: location } } };
  }
  const file = fileOf(request.uri);
  const ofSignedIn = isOfFrame(file) && request.cookies['${signedInMarker}'] !== undefined;
  request.uri = ofSignedIn ? '${pages.signedInFolder}' + file : file;
  return request;
}
`.trimStart();
}

function folderOf(page: string): string {
  return page.slice(0, page.lastIndexOf('/'));
}

export const viewerAddressCode = `
function handler(event) {
  event.request.headers['${viewerAddressHeader}'] = { value: event.viewer.ip };
  return event.request;
}
`.trimStart();

/** The CloudFront Functions, which run at the edge before CloudFront calls the bucket or the API. */
export class EdgeFunctions extends Construct {
  readonly pageRouting: EdgeFunction;
  readonly viewerAddress: EdgeFunction;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.pageRouting = this.create('PageRouting', 'Maps the URL of a page to its file', pageRouting());
    this.viewerAddress = this.create(
      'ViewerAddress',
      'Adds the address of the viewer to API calls',
      viewerAddressCode,
    );
  }

  private create(id: string, comment: string, code: string): EdgeFunction {
    return new EdgeFunction(this, id, {
      comment,
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
  }
}
