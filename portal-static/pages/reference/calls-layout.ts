/** Swagger UI plugin of the API reference page: a layout without Swagger UI's own title and page frame, with every call in it. */

/** Properties that Swagger UI gives a layout: its other components, by name. */
interface LayoutProps {
  readonly getComponent: (name: string, container?: boolean) => unknown;
}

/** A map of Immutable.js, as far as the list of calls reads one. */
interface ImmutableMap {
  readonly get: (name: string) => unknown;
  readonly entrySeq: () => { readonly toArray: () => readonly (readonly [string, ImmutableMap])[] };
}

/** State and actions that Swagger UI gives its list of calls. */
interface OperationsProps extends LayoutProps {
  readonly specSelectors: { readonly taggedOperations: () => ImmutableMap; readonly url: () => string };
  readonly [part: string]: unknown;
}

interface SwaggerSystem {
  readonly React: {
    readonly createElement: (
      type: unknown,
      props?: object | null,
      ...children: readonly unknown[]
    ) => unknown;
  };
}

export const callsLayout = 'CallsLayout';

/**
 * Servers, authorization and operations, and no more: Swagger UI's own layout brings a second main part and a second title
 * into the page (WCAG 2.2, 1.3.1).
 *
 * @see https://swagger.io/docs/open-source-tools/swagger-ui/customization/custom-layout/
 */
export function callsPlugin({ React }: SwaggerSystem) {
  const h = React.createElement;
  const Calls = ({ getComponent }: LayoutProps) => {
    const part = (name: string) => h(getComponent(name, true), { key: name });
    return h(
      'div',
      { className: 'swagger-ui' },
      h(getComponent('SvgAssets')),
      part('errors'),
      h(
        'div',
        { className: 'scheme-container' },
        h('div', { className: 'schemes wrapper' }, part('ServersContainer'), part('AuthorizeBtnContainer')),
      ),
      h('div', { className: 'wrapper' }, part('operations')),
      h('div', { className: 'wrapper' }, part('Models')),
    );
  };
  return { components: { [callsLayout]: Calls, operations: allOperations(h) } };
}

/**
 * Every call below its tag. Swagger UI's own list renders only what is near the screen from 150 entries on: the browser's search
 * and a screen reader's list of headings would miss the rest.
 */
function allOperations(h: SwaggerSystem['React']['createElement']) {
  return (props: OperationsProps) => {
    const [Tag, Operation] = [
      props.getComponent('OperationTag'),
      props.getComponent('OperationContainer', true),
    ];
    const { specSelectors } = props;
    const operationsOf = (tagObj: ImmutableMap) =>
      (tagObj.get('operations') as { readonly toArray: () => readonly ImmutableMap[] }).toArray();
    return h(
      'div',
      null,
      ...specSelectors
        .taggedOperations()
        .entrySeq()
        .toArray()
        .map(([tag, tagObj]) =>
          h(
            Tag,
            { ...props, key: tag, tag, tagObj, specUrl: specSelectors.url() },
            ...operationsOf(tagObj).map((op) => {
              const [path, method, specPath] = [op.get('path'), op.get('method'), op.get('specPath')];
              return h(Operation, { key: `${path} ${method}`, op, tag, path, method, specPath });
            }),
          ),
        ),
    );
  };
}
