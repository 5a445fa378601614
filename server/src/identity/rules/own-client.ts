// Our own pages are a client of our own provider like any other, except that they need no consent.
export const WEB_CLIENT_ID = 'trefoil-web';
