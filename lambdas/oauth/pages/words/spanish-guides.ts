import type { Strings } from './strings.ts';

export const spanishGuides: Strings['guides'] = {
  'choosing-an-app': {
    title: 'Cómo elegir una aplicación de salud',
    intro:
      'Usted puede compartir los datos de su plan con la aplicación que quiera. La aplicación no es parte de su plan. Nosotros no la elegimos ni revisamos qué hace con sus datos. Leer unos minutos le protege.',
    sections: [
      {
        heading: 'Pregunte esto antes de compartir',
        points: [
          '¿Qué datos toma la aplicación? ¿Son más de los que necesita?',
          '¿Toma otras cosas de su teléfono, como el lugar donde está?',
          '¿Vende sus datos o los usa para anuncios?',
          '¿Quién más puede ver sus datos, y por qué?',
          '¿Cómo protege sus datos?',
          '¿Puede usted dejar de compartir y hacer que borren sus datos?',
          '¿A quién puede preguntar si algo va mal?',
          '¿Le avisará la aplicación cuando cambien sus reglas?',
        ],
      },
      {
        heading: 'Dónde encontrar las respuestas',
        text: 'Lea la política de privacidad de la aplicación. Debe ser corta y clara. Si no la encuentra o no la entiende, elija otra aplicación.',
      },
      {
        heading: 'Si hay más personas en su plan',
        text: 'Sus datos pueden decir cosas de su familia. Hable antes con ella. Un adolescente puede tener derecho a mantener en privado parte de su atención.',
      },
      {
        heading: 'Usted puede parar',
        text: 'Abra “Aplicaciones con las que comparte” y detenga allí la que quiera. Desde entonces no recibe nada nuevo de nosotros. Puede guardar lo que ya tiene: pida a la aplicación que lo borre.',
      },
    ],
  },
  'privacy-laws': {
    title: 'Leyes que protegen sus datos',
    intro:
      'Qué ley protege sus datos de salud depende de quién los tiene. Esto vale para su plan, y esto para una aplicación.',
    sections: [
      {
        heading: 'Su plan y sus médicos: HIPAA',
        text: 'HIPAA es una ley federal. Su plan de salud, sus médicos y su hospital deben cumplirla. También las empresas que trabajan para ellos. Pueden usar sus datos para atenderle, para pagar cuentas y para manejar el plan. Para casi todo lo demás deben preguntarle antes.',
      },
      {
        heading: 'La mayoría de las aplicaciones: la Ley de la FTC',
        text: 'La mayoría de las aplicaciones no tiene que cumplir HIPAA. Las vigila la Comisión Federal de Comercio (FTC). Una aplicación debe hacer lo que dice su política de privacidad. Si comparte sus datos cuando dijo que no lo haría, puede violar la ley. Si sus datos se filtran, puede tener que avisarle.',
      },
      {
        heading: '¿Cuándo vale HIPAA para una aplicación?',
        text: 'Solo cuando la aplicación trabaja para su plan o su médico. Si no está seguro, pregunte a quienes hacen la aplicación.',
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
      '¿Cree que alguien usó mal sus datos de salud? Puede presentar una queja. Nadie puede tratarle peor por hacerlo.',
    sections: [
      {
        heading: 'Sobre su plan de salud o su médico',
        text: 'Llame primero a su plan: el número está detrás de su tarjeta de miembro. También puede escribir a la Oficina de Derechos Civiles (OCR). Es parte del Departamento de Salud de los Estados Unidos. Hágalo dentro de los 180 días desde que lo supo.',
        links: [
          {
            text: 'Queja a la OCR (en inglés)',
            uri: 'https://www.hhs.gov/hipaa/filing-a-complaint/index.html',
          },
        ],
      },
      {
        heading: 'Sobre una aplicación',
        text: 'Pregunte primero a quienes hacen la aplicación. Después avise a la Comisión Federal de Comercio (FTC). No puede resolver cada caso, pero usa los informes para detener a las empresas que violan la ley.',
        links: [{ text: 'Informe a la FTC', uri: 'https://reportefraude.ftc.gov/' }],
      },
      {
        heading: 'Primero, detenga la aplicación',
        text: 'Si ya no confía en una aplicación, deténgala en “Aplicaciones con las que comparte”. Cambie su contraseña si se la dio a la aplicación.',
      },
    ],
  },
};
