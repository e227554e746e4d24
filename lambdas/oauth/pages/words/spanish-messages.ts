import type { MessageText, Strings } from './strings.ts';

const backToApp = 'Vuelva a la aplicación y empiece de nuevo.';
const tellDeveloper =
  'No se compartió nada. Avise a quienes hacen la aplicación. Ellos pueden averiguar qué pasa.';

const brokenLink: MessageText = { title: 'Este enlace no funciona', advice: tellDeveloper };

export const spanishMessages: Strings['messages'] = {
  client_id_missing: brokenLink,
  client_unknown: { title: 'No conocemos esta aplicación', advice: tellDeveloper },
  client_inactive: {
    title: 'Ahora no se puede usar esta aplicación',
    advice: 'Por el momento no tiene permiso para pedir sus datos. No se compartió nada.',
  },
  redirect_uri_missing: brokenLink,
  redirect_uri_unregistered: {
    title: 'Nos detuvimos para proteger sus datos',
    advice: `El enlace le habría llevado a una dirección que no es conocida como propia de la aplicación. ${tellDeveloper}`,
  },
  interaction_unknown: {
    title: 'No encontramos su sesión',
    advice: `Quizá estuvo abierta demasiado tiempo, o su navegador no permite cookies. ${backToApp}`,
  },
  interaction_expired: {
    title: 'Se acabó el tiempo para entrar',
    advice: `No se compartió nada. ${backToApp}`,
  },
  interaction_answered: {
    title: 'Usted ya contestó',
    advice: `Para cambiar su respuesta: ${backToApp}`,
  },
  form_foreign: {
    title: 'No pudimos aceptar este formulario',
    advice: `No vino de nuestra página. ${backToApp}`,
  },
  answer_missing: { title: 'No recibimos su respuesta', advice: backToApp },
  form_malformed: { title: 'No pudimos leer este formulario', advice: backToApp },
  line_of_business_unknown: { title: 'No conocemos este plan', advice: tellDeveloper },
  page_unknown: { title: 'Esta página no existe', advice: backToApp },
  method_not_allowed: { title: 'Esta página no se puede usar así', advice: backToApp },
  too_many_codes: {
    title: 'Hemos enviado demasiados códigos',
    advice: 'Por su seguridad no enviamos más por ahora. Inténtelo otra vez en una hora.',
  },
  too_many_code_tries: {
    title: 'Hubo demasiados intentos',
    advice: 'Por su seguridad no aceptamos más códigos por ahora. Entre otra vez en una hora.',
  },
  code_unsendable: {
    title: 'No pudimos enviarle un código',
    advice: 'Inténtelo otra vez en un minuto. Si sigue así, llame al número de su tarjeta de miembro.',
  },
  signed_out: {
    title: 'Cerró su sesión',
    advice:
      'Puede cerrar esta página. Las aplicaciones con las que comparte conservan su acceso hasta que usted las detenga.',
  },
  still_signed_in: { title: 'Su sesión sigue abierta', advice: 'Puede cerrar esta página.' },
  logout_uri_unregistered: {
    title: 'Nos detuvimos para protegerle',
    advice:
      'El enlace le habría llevado a una dirección que no sabemos si es de la aplicación. Su sesión sigue abierta.',
  },
  logout_request_malformed: {
    title: 'Este enlace no funciona',
    advice: 'Su sesión sigue abierta. Por favor avise a quienes hacen la aplicación.',
  },
  session_over: {
    title: 'Su sesión se cerró',
    advice: 'Su sesión duró 15 minutos. Abra la página otra vez para entrar.',
  },
  defect: { title: 'Algo falló de nuestro lado', advice: `No se compartió nada. ${backToApp}` },
  unavailable: {
    title: 'Ahora estamos muy ocupados',
    advice: 'Espere un momento y cargue esta página otra vez.',
  },
};
