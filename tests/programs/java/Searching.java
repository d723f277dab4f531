// SPDX-License-Identifier: MIT
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.FSDirectory;

/** Lucene: threads index documents into one index in the directory of the first argument, then others search it. */
public class Searching {
    private static final String[] WORDS = ("clock field order thread replay trace load store lock wait free run monitor "
            + "debug event race write read time past").split(" ");

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++)
            text.append(WORDS[(int) Math.abs(random.nextGaussian() * 6) % WORDS.length]).append(' ');
        return text.toString();
    }

    private static Void index(IndexWriter writer, int worker, int documents) throws Exception {
        Random random = new Random(worker);
        for (int i = 0; i < documents; i++) {
            Document document = new Document();
            document.add(new StringField("id", worker + "-" + i, Field.Store.YES));
            document.add(new TextField("text", text(random), Field.Store.NO));
            writer.addDocument(document);
        }
        return null;
    }

    private static String search(IndexSearcher searcher, int number) throws Exception {
        String one = WORDS[number % WORDS.length], other = WORDS[number * 7 % WORDS.length];
        BooleanQuery query = new BooleanQuery.Builder().add(new TermQuery(new Term("text", one)), BooleanClause.Occur.MUST)
                .add(new TermQuery(new Term("text", other)), BooleanClause.Occur.SHOULD).build();
        TopDocs found = searcher.search(query, 5);
        StringBuilder line = new StringBuilder(query + ": " + found.totalHits);
        for (ScoreDoc hit : found.scoreDocs)
            line.append(' ').append(searcher.doc(hit.doc).get("id")).append('=').append(hit.score);
        return line.toString();
    }

    public static void main(String[] arguments) throws Exception {
        int documents = Integer.parseInt(arguments[1]), searches = Integer.parseInt(arguments[2]);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try (FSDirectory directory = FSDirectory.open(Path.of(arguments[0]))) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
                List<Future<Void>> workers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    int worker = i;
                    workers.add(pool.submit(() -> index(writer, worker, documents)));
                }
                for (Future<Void> worker : workers)
                    worker.get();
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader, pool);
                List<Future<String>> answers = new ArrayList<>();
                ExecutorService clients = Executors.newFixedThreadPool(3);
                for (int i = 0; i < searches; i++) {
                    int number = i;
                    answers.add(clients.submit(() -> search(searcher, number)));
                }
                for (Future<String> answer : answers)
                    System.out.println(answer.get());
                System.out.println(reader.numDocs() + " documents in " + reader.leaves().size() + " segments");
                clients.shutdown();
            }
        }
        pool.shutdown();
    }
}
