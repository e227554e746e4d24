/** Swagger UI plugin of the API reference page: a layout without Swagger UI's own title and page frame. */

/** Properties that Swagger UI gives a layout: its other components, by name. */
interface LayoutProps {
  readonly getComponent: (name: string, container?: boolean) => unknown;
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
  return { components: { [callsLayout]: Calls } };
}
