import { describe, expect, it } from 'vitest';
import { AwsError } from '../../../local/aws/protocol/aws-error.ts';
import { parseForm } from '../../../local/aws/protocol/query-form.ts';
import { answerXml, errorXml } from '../../../local/aws/protocol/query-xml.ts';

describe('the query protocol', () => {
  it('reads structures and lists of a form, lists in the order of their numbers', () => {
    const form =
      'Action=A&To.member.2=b&To.member.10=c&To.member.1=a%20a&Body.Text.Data=x&Pairs.entry.1.Name=n';
    expect(parseForm(form)).toEqual({
      Action: 'A',
      To: ['a a', 'b', 'c'],
      Body: { Text: { Data: 'x' } },
      Pairs: [{ Name: 'n' }],
    });
  });

  it('takes no name of the form for a property of objects', () => {
    parseForm('__proto__.polluted=yes&constructor.prototype.polluted=yes');
    expect({}).not.toHaveProperty('polluted');
  });

  it('escapes what it answers', () => {
    const xml = answerXml('Publish', { MessageId: '<&">', List: ['a', 'b'] }, 'ns', 'id');
    expect(xml).toContain('<MessageId>&lt;&amp;&quot;&gt;</MessageId>');
    expect(xml).toContain('<List><member>a</member><member>b</member></List>');
    expect(errorXml(new AwsError('Code', 'a < b'), 'ns', 'id')).toContain('<Message>a &lt; b</Message>');
  });
});
