// The address of an endpoint: too long for its line, it wraps before a dot or a slash, and inside a word only where it must.
import { Fragment } from 'react';
import { shortUrl } from '../format/short-url.ts';

export const Address = ({ url }: { readonly url: string }) =>
  [...shortUrl(url).matchAll(/[./]?[^./]*/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ));
