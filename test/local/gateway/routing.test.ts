import { describe, expect, it } from 'vitest';
import type { Method, Node } from '../../../local/gateway/rest-api.ts';
import { findRoute } from '../../../local/gateway/routing.ts';

/** A tree of routes, each given as `GET /a/{b}`. */
function tree(...routes: string[]): Node {
  const root: Node = { id: '', path: '/', segment: '', children: [], methods: new Map() };
  for (const route of routes) {
    const [httpMethod = '', path = ''] = route.split(' ');
    let node = root;
    for (const segment of path.split('/').filter((part) => part !== '')) {
      let child = node.children.find((one) => one.segment === segment);
      if (child === undefined) {
        child = { id: segment, path: `${node.path}/${segment}`, segment, children: [], methods: new Map() };
        node.children.push(child);
      }
      node = child;
    }
    const method: Method = {
      httpMethod,
      resourceId: node.id,
      resourcePath: route,
      apiKeyRequired: false,
      integration: { type: 'MOCK', properties: {} },
      methodResponses: [],
    };
    node.methods.set(httpMethod, method);
  }
  return root;
}

const found = (root: Node, httpMethod: string, path: string) => {
  const route = findRoute(root, httpMethod, path);
  return route === undefined ? undefined : [route.method.resourcePath, route.pathParameters];
};

describe('findRoute', () => {
  const root = tree('GET /a/b', 'GET /a/{id}', 'POST /a/{id}', 'ANY /{all+}', 'GET /a/{id}/c', 'GET /');

  it.each([
    ['GET', '/', ['GET /', null]],
    ['GET', '/a/b', ['GET /a/b', null]],
    ['GET', '/a/x', ['GET /a/{id}', { id: 'x' }]],
    ['GET', '/a/b/', ['GET /a/b', null]],
    ['GET', '/a/x/c', ['GET /a/{id}/c', { id: 'x' }]],
    ['GET', '/z/y/x', ['ANY /{all+}', { all: 'z/y/x' }]],
  ])('takes the most specific resource for %s %s', (httpMethod, path, expected) => {
    expect(found(root, httpMethod, path)).toEqual(expected);
  });

  it('looks nowhere else where the most specific resource lacks the method, or what is below it', () => {
    expect(found(root, 'POST', '/a/b')).toBeUndefined();
    expect(found(root, 'DELETE', '/a/x')).toBeUndefined();
    expect(found(root, 'GET', '/a/b/c')).toBeUndefined();
    expect(found(root, 'GET', '/a/x/y')).toBeUndefined();
    expect(found(root, 'POST', '/a/x')).toEqual(['POST /a/{id}', { id: 'x' }]);
  });

  it('decodes path parameters, not static segments', () => {
    expect(found(root, 'GET', '/a/x%2Fy%20z')).toEqual(['GET /a/{id}', { id: 'x/y z' }]);
    expect(found(root, 'GET', '/a/%62')).toEqual(['GET /a/{id}', { id: 'b' }]);
  });

  it('takes ANY for the methods API Gateway has, and for no others', () => {
    expect(found(root, 'PATCH', '/z')).toEqual(['ANY /{all+}', { all: 'z' }]);
    expect(found(root, 'PROPFIND', '/z')).toBeUndefined();
    expect(found(root, 'TRACE', '/z')).toBeUndefined();
  });

  it('keeps /ping and /sping for API Gateway', () => {
    expect(found(root, 'GET', '/ping')).toBeUndefined();
    expect(found(root, 'GET', '/sping')).toBeUndefined();
  });

  it('does not take GET for HEAD, nor an empty segment for a parameter', () => {
    const strict = tree('GET /a/{id}');
    expect(found(strict, 'HEAD', '/a/x')).toBeUndefined();
    expect(found(strict, 'GET', '/a/')).toBeUndefined();
    expect(found(strict, 'GET', '/a//')).toBeUndefined();
    expect(found(strict, 'GET', '/A/x')).toBeUndefined();
  });
});
