// SPDX-License-Identifier: MIT
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Xalan: threads transform documents with one style sheet, and take the next from a counter without a lock. */
public class Transforming {
    private static final String STYLE = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
            + "<xsl:output method='xml' indent='no' omit-xml-declaration='yes'/>"
            + "<xsl:param name='worker'/>"
            + "<xsl:key name='of' match='item' use='@kind'/>"
            + "<xsl:template match='/list'><sums by='{$worker}'><xsl:for-each select='item[generate-id()=generate-id(key(\"of\",@kind)[1])]'>"
            + "<xsl:sort select='@kind'/><sum kind='{@kind}'><xsl:value-of select='sum(key(\"of\",@kind)/@size)'/></sum>"
            + "</xsl:for-each></sums></xsl:template></xsl:stylesheet>";
    private static int next;
    private static String[] results;

    private static String document(int number) {
        StringBuilder text = new StringBuilder("<list>");
        for (int i = 0; i < 60; i++)
            text.append("<item kind='").append((char) ('a' + (i * number) % 7)).append("' size='").append(i + number)
                    .append("'/>");
        return text.append("</list>").toString();
    }

    public static void main(String[] arguments) throws Exception {
        int documents = Integer.parseInt(arguments[0]), workers = Integer.parseInt(arguments[1]);
        Templates templates = TransformerFactory.newInstance().newTemplates(new StreamSource(new StringReader(STYLE)));
        results = new String[documents];
        Thread[] threads = new Thread[workers];
        for (int i = 0; i < workers; i++) {
            String name = "w" + i;
            threads[i] = new Thread(() -> transform(templates, name));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        for (String result : results)
            System.out.println(result);
        System.out.println(templates.getClass().getName() + ", " + next + " taken");
    }

    private static void transform(Templates templates, String name) {
        int number;
        while ((number = next++) < results.length) {
            try {
                Transformer transformer = templates.newTransformer();
                transformer.setParameter("worker", name);
                StringWriter text = new StringWriter();
                transformer.transform(new StreamSource(new StringReader(document(number))), new StreamResult(text));
                results[number] = text.toString();
            } catch (javax.xml.transform.TransformerException e) {
                results[number] = e.toString();
            }
        }
    }
}
