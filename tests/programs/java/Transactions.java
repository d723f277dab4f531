// SPDX-License-Identifier: MIT
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** H2: threads move money between accounts of one database, each in transactions that may conflict and are repeated. */
public class Transactions {
    private static final int ACCOUNTS = 8;
    private static int conflicts;

    private static void change(Connection connection, int account, int amount) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update account set balance = balance + ? where id = ?")) {
            update.setInt(1, amount);
            update.setInt(2, account);
            update.executeUpdate();
        }
    }

    private static void move(String url, int worker, int transfers) {
        Random random = new Random(worker);
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < transfers; i++) {
                int from = random.nextInt(ACCOUNTS), to = random.nextInt(ACCOUNTS), amount = random.nextInt(50);
                for (boolean done = false; !done;) {
                    try {
                        change(connection, from, -amount);
                        change(connection, to, amount);
                        connection.commit();
                        done = true;
                    } catch (SQLException e) {
                        connection.rollback();
                        synchronized (Transactions.class) {
                            conflicts++;
                        }
                    }
                }
                try (Statement log = connection.createStatement()) {
                    log.execute("insert into log(worker, number) values (" + worker + ", " + i + ")");
                    connection.commit();
                }
            }
        } catch (SQLException e) {
            System.out.println("worker " + worker + ": " + e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        int workers = Integer.parseInt(arguments[1]), transfers = Integer.parseInt(arguments[2]);
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create table account(id int primary key, balance int)");
            statement.execute("create table log(at int auto_increment primary key, worker int, number int)");
            for (int i = 0; i < ACCOUNTS; i++)
                statement.execute("insert into account values (" + i + ", 100)");
            Thread[] threads = new Thread[workers];
            for (int i = 0; i < workers; i++) {
                int worker = i;
                threads[i] = new Thread(() -> move(url, worker, transfers));
                threads[i].start();
            }
            for (Thread thread : threads)
                thread.join();
            print(statement, "select id, balance from account order by id");
            print(statement, "select worker, number from log order by at");
            print(statement, "select sum(balance), " + conflicts + " from account");
        }
    }

    private static void print(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            StringBuilder line = new StringBuilder(query).append(':');
            while (rows.next())
                line.append(' ').append(rows.getString(1)).append('/').append(rows.getString(2));
            System.out.println(line);
        }
    }
}
