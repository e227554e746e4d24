/** Spanish texts of the information pages for members. */

import type { Strings } from './strings.ts';

export const spanishGuides: Strings['guides'] = {
  'choosing-an-app': {
    title: 'Cómo elegir una aplicación de salud',
    intro:
      'Usted puede compartir los datos de su plan con la aplicación que elija. La aplicación no es parte de su plan. Nosotros no elegimos las aplicaciones ni revisamos qué hacen con sus datos. Lea esta página antes de compartir.',
    sections: [
      {
        heading: 'Preguntas antes de compartir',
        points: [
          '¿Qué datos toma la aplicación? ¿Son más de los que necesita?',
          '¿Toma otras cosas de su teléfono, como el lugar donde está?',
          '¿Vende sus datos o los usa para anuncios?',
          '¿Quién más puede ver sus datos, y por qué?',
          '¿Cómo protege sus datos?',
          '¿Puede usted dejar de compartir y hacer que borren sus datos?',
          '¿Quién puede ayudarle si algo sale mal?',
          '¿Le avisará la aplicación cuando cambien sus reglas?',
        ],
      },
      {
        heading: 'Dónde encontrar las respuestas',
        text: 'Lea la política de privacidad de la aplicación. Debe ser corta y clara. Si no la encuentra o no la entiende, elija otra aplicación.',
      },
      {
        heading: 'Si hay más personas en su plan',
        text: 'Sus datos pueden incluir información de su familia. Antes, hable con su familia. Un adolescente puede tener derecho a mantener en privado parte de su atención.',
      },
      {
        heading: 'Usted puede dejar de compartir',
        text: 'Abra “Aplicaciones con las que comparte” y deje de compartir con la aplicación que quiera. La aplicación ya no puede recibir datos de nosotros. Puede conservar los datos que ya tiene. Pida a la aplicación que los borre.',
      },
    ],
  },
  'privacy-laws': {
    title: 'Leyes que protegen sus datos',
    intro:
      'La ley que protege sus datos de salud depende de quién los tiene. Una ley se aplica a su plan. Otras leyes se aplican a la mayoría de las aplicaciones.',
    sections: [
      {
        heading: 'Su plan y sus médicos: HIPAA',
        text: 'HIPAA es una ley federal. Su plan de salud, sus médicos y su hospital deben cumplirla. También las empresas que trabajan para ellos. Pueden usar sus datos para atenderle, para pagar cuentas y para manejar el plan. Para casi todo lo demás deben pedirle permiso antes.',
      },
      {
        heading: 'La mayoría de las aplicaciones: la Ley de la FTC',
        text: 'La mayoría de las aplicaciones no tiene que cumplir HIPAA. La Comisión Federal de Comercio (FTC) las supervisa. Una aplicación debe hacer lo que dice su política de privacidad. Si comparte sus datos cuando dijo que no lo haría, puede violar la ley. Si sus datos se roban o se filtran, es posible que la aplicación deba avisarle.',
      },
      {
        heading: 'Cuándo se aplica HIPAA a una aplicación',
        text: 'HIPAA se aplica solo cuando la aplicación trabaja para su plan o su médico. Si no está seguro, pregunte a los creadores de la aplicación.',
      },
      {
        heading: 'Para leer más',
        links: [
          {
            text: 'HHS: sus derechos según HIPAA (en inglés)',
            uri: 'https://www.hhs.gov/hipaa/for-individuals/index.html',
          },
          { text: 'FTC: consejos para consumidores', uri: 'https://consumidor.ftc.gov/' },
        ],
      },
    ],
  },
  complaints: {
    title: 'Cómo presentar una queja',
    intro:
      'Si cree que alguien usó mal sus datos de salud, puede presentar una queja. La ley prohíbe que tomen represalias contra usted por una queja.',
    sections: [
      {
        heading: 'Sobre su plan de salud o su médico',
        text: 'Llame primero a su plan: el número está en el reverso de su tarjeta de miembro. También puede escribir a la Oficina de Derechos Civiles (OCR). La OCR es parte del Departamento de Salud y Servicios Humanos de los Estados Unidos (HHS). Presente la queja dentro de los 180 días después de enterarse.',
        links: [
          {
            text: 'Presentar una queja ante la OCR (en inglés)',
            uri: 'https://www.hhs.gov/hipaa/filing-a-complaint/index.html',
          },
        ],
      },
      {
        heading: 'Sobre una aplicación',
        text: 'Contacte primero a los creadores de la aplicación. Después denuncie la aplicación ante la Comisión Federal de Comercio (FTC). La FTC no puede resolver todos los casos. Usa las denuncias para detener a las empresas que violan la ley.',
        links: [{ text: 'Denunciar ante la FTC', uri: 'https://reportefraude.ftc.gov/' }],
      },
      {
        heading: 'Primero, deje de compartir con la aplicación',
        text: 'Si ya no confía en una aplicación, deje de compartir con ella en “Aplicaciones con las que comparte”. Cambie su contraseña si se la dio a la aplicación.',
      },
    ],
  },
};
